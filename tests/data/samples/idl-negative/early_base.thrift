service A extends B {}
service B {}
