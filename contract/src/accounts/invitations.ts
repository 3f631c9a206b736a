import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const getAffCode = endpoint({
  method: 'GET',
  path: '/api/user/aff',
  access: 'user',
  summary: 'The own invite code',
  data: z.string(),
})

/** `quota` is in quota units, at least one unit of currency. */
export const transferAffQuota = endpoint({
  method: 'POST',
  path: '/api/user/aff_transfer',
  access: 'user',
  summary: 'Moves what invitations earned to the own balance',
  body: z.object({ quota: z.int() }),
})
