import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Secrets } from '../lib/security/secrets.ts'

/** Makes a job due, so that its provider is asked soon; false where there is no such job. Repeats cost nothing. */
export type NudgeJob = (id: string) => Promise<boolean>

/** Addresses at which providers call when the state of a job may have changed. */
export interface JobHooks {
  /** Answers calls about the jobs of a kind. */
  listen(kind: string, nudge: NudgeJob): void
  /** The address for calls about a job; undefined where the site has no public HTTPS address. */
  addressOf(kind: string, id: string): string | undefined
  /** Nudges the job that a token was made for; undefined for every other token. */
  nudgeFor(kind: string, token: string): (() => Promise<boolean>) | undefined
}

export interface JobHookParts {
  readonly secrets: Pick<Secrets, 'digest'>
  /** Option ServerAddress; empty for none. */
  readonly serverAddress: () => string
}

/** Path below which providers call. */
export const jobHookPath = '/hooks/jobs'

/** Names that only a private network knows. */
const privateName = /(?:^|\.)(?:local|localhost|internal|lan|home\.arpa)$/i

/** True for an HTTPS address by a name that providers can look up. */
export const isPublicSite = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isName = hostname.includes('.') && isIP(hostname) === 0
  return protocol === 'https:' && isName && !privateName.test(hostname)
}

/** The id in a token of the form `id.hash`; undefined where the hash is not that of the id. */
export const readToken = (token: string, proofOf: (id: string) => string): string | undefined => {
  const [, id = '', proof = ''] = /^([\w-]{1,100})\.([0-9a-f]{64})$/.exec(token) ?? []
  return id !== '' && timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(id))) ? id : undefined
}

/** Addresses hold the job's id and a keyed hash of it: nothing is stored for them, and none can be guessed. */
export const openJobHooks = ({ secrets, serverAddress }: JobHookParts): JobHooks => {
  const nudges = new Map<string, NudgeJob>()
  const proofOf = (kind: string, id: string): string => secrets.digest('job_hook', `${kind}\0${id}`)
  return {
    listen: (kind, nudge) => void nudges.set(kind, nudge),
    addressOf(kind, id) {
      const site = serverAddress().replace(/\/+$/, '')
      return isPublicSite(site) ? `${site}${jobHookPath}/${kind}/${id}.${proofOf(kind, id)}` : undefined
    },
    nudgeFor(kind, token) {
      const nudge = nudges.get(kind)
      const id = nudge && readToken(token, (one) => proofOf(kind, one))
      return nudge && id !== undefined ? () => nudge(id) : undefined
    },
  }
}
