"""Games of one's own: rules modules that lie in a project's folder, and a score pad for games without one."""
