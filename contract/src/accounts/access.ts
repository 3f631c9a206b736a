/** User roles. Any other number is shown as unknown. */
export const role = { user: 1, admin: 10, root: 100 } as const

/** User status: 3 comes from older databases and can never be enabled again. */
export const userStatus = { enabled: 1, disabled: 2, retired: 3 } as const

/**
 * Callers that an endpoint accepts. `user`, `admin` and `root` need a session, or a system access token with the `New-Api-User` header;
 * `session` reads the cookie only and takes no header; `token` is an API key; `visitor` needs no credentials.
 */
export type Access = 'visitor' | 'session' | 'user' | 'admin' | 'root' | 'token'

/** The least role that an access level asks for; undefined where roles do not matter. */
export const leastRole: Record<Access, number | undefined> = {
  visitor: undefined,
  session: role.user,
  user: role.user,
  admin: role.admin,
  root: role.root,
  token: undefined,
}
