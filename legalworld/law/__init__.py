"""Reading legal Chinese, and the law library."""
