struct A {
  1: optional }
