"use server";
