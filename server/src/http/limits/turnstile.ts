import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'

/** Claim of a visitor to be human, for one action. */
export interface HumanClaim {
  /** `human` of the endpoint: the action that the widget confirms. */
  readonly action: string
  /** Token of the widget; each counts once. */
  readonly token: string
  readonly ip: string
  /** Host header of the call. */
  readonly host: string | undefined
}

/** Throws AppError('turnstile_missing' | 'turnstile_failed' | 'turnstile_unreachable' | 'turnstile_misconfigured'). */
export type AssertHuman = (claim: HumanClaim) => Promise<void>

export interface TurnstileParts {
  /** Options of the same names, and the site's own address when the operator gave it. */
  settings(): {
    readonly TurnstileCheckEnabled: boolean
    readonly TurnstileSecretKey: string
    readonly ServerAddress: string
  }
  /** `config.turnstileVerifyUrl`. */
  readonly verifyUrl: string
}

const answer = z.object({
  success: z.boolean(),
  action: z.string().default(''),
  hostname: z.string().default(''),
  'error-codes': z.array(z.string()).default([]),
})

const timeoutMs = 10_000
const ourMistakes = new Set(['missing-input-secret', 'invalid-input-secret'])
const theirMistakes = new Set(['internal-error'])

const hostName = (address: string): string => {
  const url = address.includes('://') ? address : `http://${address}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

const ask = async (url: string, fields: Readonly<Record<string, string>>): Promise<z.output<typeof answer>> => {
  try {
    const body = new URLSearchParams(fields)
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(timeoutMs) })
    return answer.parse(await response.json())
  } catch (cause) {
    throw new AppError('turnstile_unreachable', { cause })
  }
}

/**
 * Asks Cloudflare about each single call, so that one solved challenge admits one call: for this action and from a page
 * of this host. Lets everything pass while the check is off.
 */
export const createTurnstile = ({ settings, verifyUrl }: TurnstileParts): AssertHuman => {
  return async ({ action, token, ip, host }) => {
    const { TurnstileCheckEnabled, TurnstileSecretKey: secret, ServerAddress } = settings()
    if (!TurnstileCheckEnabled) return
    if (token === '') throw new AppError('turnstile_missing')
    const found = await ask(verifyUrl, { secret, response: token, remoteip: ip })
    const codes = found['error-codes']
    const details = { codes, action: found.action, hostname: found.hostname }
    if (codes.some((code) => ourMistakes.has(code))) throw new AppError('turnstile_misconfigured', { details })
    if (codes.some((code) => theirMistakes.has(code))) throw new AppError('turnstile_unreachable', { details })
    const here = hostName(ServerAddress || (host ?? ''))
    if (!found.success || found.action !== action || found.hostname !== here) {
      throw new AppError('turnstile_failed', { details })
    }
  }
}
