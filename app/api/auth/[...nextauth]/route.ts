import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions } from "@/lib/auth/session";

type Context = { params: Promise<{ nextauth: string[] }> };

const answer = (request: NextRequest, context: Context): Promise<Response> => NextAuth(request, context, authOptions());

export { answer as GET, answer as POST };
