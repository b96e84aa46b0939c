import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { AddedMember, Member, NewTokenShown, Page, Role, SignInUrl, Token, TokenScope } from "./types";

const EVERYTHING = { params: { query: { limit: 500 } } };

export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: (): Promise<Page<Member>> => unwrap(api.GET("/api/v1/members", EVERYTHING)),
});

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: (): Promise<Page<Token>> => unwrap(api.GET("/api/v1/tokens", EVERYTHING)),
});

/** A role, and where it holds; null is "on every source". */
export interface MemberReach {
  role: Role;
  source_slugs: string[] | null;
}

const member = (id: number) => ({ params: { path: { member_id: id } } });

/** Adds a person; the answer holds the one-time link, which is shown this once. */
export function addMember(body: MemberReach & { email: string }): Promise<AddedMember> {
  return unwrap(api.POST("/api/v1/members", { body }));
}

export function updateMember(id: number, body: MemberReach): Promise<Member> {
  return unwrap(api.PATCH("/api/v1/members/{member_id}", { ...member(id), body }));
}

export async function removeMember(id: number): Promise<void> {
  await unwrap(api.DELETE("/api/v1/members/{member_id}", member(id)));
}

export function makeSignInLink(id: number): Promise<SignInUrl> {
  return unwrap(api.POST("/api/v1/members/{member_id}/sign-in-link", member(id)));
}

export interface NewToken {
  name: string;
  scopes: TokenScope[];
  expires_in_days: number | null;
}

/** Makes a token; the answer holds it in clear, which is shown this once. */
export function createToken(body: NewToken): Promise<NewTokenShown> {
  return unwrap(api.POST("/api/v1/tokens", { body }));
}

export async function revokeToken(id: number): Promise<void> {
  await unwrap(api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: id } } }));
}
