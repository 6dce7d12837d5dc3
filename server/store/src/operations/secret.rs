//! The secret under which digests are kept, made at the first start.
use crate::StoreError;
use crate::driver::Pool;
use crate::error::{During, Fault};
use crate::mac::MacKey;
use crate::statement::{SECRET_GET, SECRET_PUT};

const NAME: &str = "mac";

/// Reads the secret, after making it where there is none.
pub(crate) async fn secret(pool: &Pool) -> Result<MacKey, StoreError> {
    pool.query(SECRET_PUT).bind(NAME).bind(&MacKey::fresh()[..]).run().await.during("store its secret")?;
    let stored = async { Ok::<Vec<u8>, Fault>(pool.query(SECRET_GET).bind(NAME).row().await?.get("value")?) };
    MacKey::new(&stored.await.during("read its secret")?)
}
