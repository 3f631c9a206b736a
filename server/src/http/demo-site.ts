import { type Endpoint, isChange, putOption, putOptions, role } from '@tollgate/contract'
import { z } from 'zod'
import { AppError } from '../lib/app-error.ts'
import { isPrivateOrLoopback } from '../lib/security/client-address.ts'
import type { ConsoleCaller } from './route.ts'

interface Visitor {
  readonly ip: string
  readonly forwarded: boolean
}

const switchingOff = z.object({
  key: z.literal('DemoSiteEnabled'),
  value: z.union([z.literal(false), z.literal('false')]),
})
const bodyThatEndsIt = z.union([switchingOff, z.object({ changes: z.tuple([switchingOff]) })])

/**
 * Refuses what signed-in people of a demo site would change; signing in and out and reading stay.
 * Accounts of a demo are shared, the root account perhaps among them, so the one change that ends the demo is taken from
 * the machine itself or its private network only.
 */
export const assertNoDemoChange = (
  endpoint: Endpoint,
  people: { readonly caller: ConsoleCaller | undefined; readonly visitor: Visitor },
  readBody: () => Promise<unknown>,
): Promise<void> => {
  const concerned = isChange(endpoint) && endpoint.access !== 'visitor' && endpoint.access !== 'token'
  return concerned ? assertEndsDemo(endpoint, people, readBody) : Promise.resolve()
}

const assertEndsDemo: typeof assertNoDemoChange = async (endpoint, { caller, visitor }, readBody) => {
  const isOption = [putOption, putOptions].some(
    ({ path, method }) => path === endpoint.path && method === endpoint.method,
  )
  const isNear = !visitor.forwarded && isPrivateOrLoopback(visitor.ip)
  const mayEnd = isOption && isNear && caller?.role === role.root
  if (mayEnd && bodyThatEndsIt.safeParse(await readBody().catch(() => undefined)).success) return
  throw new AppError('demo_site')
}
