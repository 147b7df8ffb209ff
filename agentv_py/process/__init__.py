"""One child process, its orphans, its command line."""
