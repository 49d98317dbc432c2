"""The bars for a face: type size, contrast, room to the cut, colours that stay apart, backs that mark nothing."""
