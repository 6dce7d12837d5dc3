//! Rounding that readers expect: half up, two decimals.

/// A number of the report: rounded half away from zero to two decimals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed(pub f64);

impl Fixed {
    /// Rounds a finite number; `None` for NaN and infinities, which no report may show.
    pub fn round(value: f64) -> Option<Fixed> {
        value.is_finite().then(|| {
            let scaled = value * 100.0;
            let nudged = scaled + scaled.signum() * scaled.abs() * f64::EPSILON * 4.0;
            Fixed(nudged.round() / 100.0 + 0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_goes_up() {
        assert_eq!(Fixed::round(1.005), Some(Fixed(1.01)));
        assert_eq!(Fixed::round(2.675), Some(Fixed(2.68)));
        assert_eq!(Fixed::round(-0.001), Some(Fixed(0.0)));
        assert_eq!(Fixed::round(f64::NAN), None);
    }
}
