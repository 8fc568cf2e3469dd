// empty: one work group that does nothing, the floor of a timer.
#version 460

layout(local_size_x_id = 0) in;

void main() {}
