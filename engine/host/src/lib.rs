//! The one reader of the disk and loader of dylibs: folders to one immutable snapshot.
