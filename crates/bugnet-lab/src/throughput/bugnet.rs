//! Bugnet's row: filled in, and listed in [`contender::all`](super::contender::all), once the
//! engine has an entry point to call.
