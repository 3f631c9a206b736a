import { isPublicSite, type JobHookParts, readToken } from './job-hooks.ts'

/** Makes the work of a channel due that its provider calls by this id. Ids that nothing has cost nothing. */
export type NudgeOfChannel = (channelId: number, upstreamId: string) => Promise<unknown>

/** Addresses for webhooks that a provider has for a whole account: one of each channel, whose calls name the work. */
export interface ChannelHooks {
  /** Answers calls about work of channels; of several listeners each gets all. */
  listen(nudge: NudgeOfChannel): void
  /** The address of a channel; undefined where the site has no public HTTPS address. */
  addressOf(channelId: number): string | undefined
  /** Nudges work of the channel that a token was made for; undefined for every other token. */
  nudgeFor(token: string): ((upstreamId: string) => Promise<void>) | undefined
}

/** Path below which providers call about work of channels. */
export const channelHookPath = '/hooks/channels'

/** Addresses hold the channel's id and a keyed hash of it, as those of jobs do. */
export const openChannelHooks = ({ secrets, serverAddress }: JobHookParts): ChannelHooks => {
  const nudges: NudgeOfChannel[] = []
  const proofOf = (id: string): string => secrets.digest('channel_hook', id)
  return {
    listen: (nudge) => void nudges.push(nudge),
    addressOf(channelId) {
      const site = serverAddress().replace(/\/+$/, '')
      return isPublicSite(site) ? `${site}${channelHookPath}/${channelId}.${proofOf(String(channelId))}` : undefined
    },
    nudgeFor(token) {
      const id = readToken(token, proofOf)
      if (id === undefined) return undefined
      return async (upstreamId) => {
        for (const nudge of nudges) await nudge(Number(id), upstreamId)
      }
    },
  }
}
