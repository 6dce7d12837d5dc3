//! Genres, thresholds, glossaries, the cascade, the plan of a genre.
