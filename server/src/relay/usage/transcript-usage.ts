import { markedBy } from '../../billing/declared/usage-stated.ts'
import { statedInUsage } from '../../billing/stated/stated-costs.ts'
import { noUsage, type Usage, withStated } from '../../billing/usage.ts'
import { isObject } from '../../dialects/conversation/json.ts'
import { reportedUsage } from '../../dialects/openai-chat/reported-usage.ts'
import type { Form } from '../call.ts'
import { soundLength } from './sound/sound-length.ts'

const tokensPerMinute = 1000
const secondsPerMinute = 60

/** Begun seconds, and a thousand tokens for a minute where the model is sold by tokens. */
const usageOfSeconds = (seconds: number): Usage => ({
  ...noUsage,
  input: Math.round((Math.ceil(seconds) / secondsPerMinute) * tokensPerMinute),
  measures: { duration: Math.ceil(seconds) * 1000 },
})

const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0

/** Usage that a transcript reports: seconds, tokens, or the length of the sound. */
export const transcriptUsage = ({ usage, duration, ...rest }: Readonly<Record<string, unknown>>): Usage | undefined => {
  if (isObject(usage) && isSeconds(usage.seconds))
    return withStated(markedBy(usageOfSeconds(usage.seconds), 'openai', usage), statedInUsage(usage))
  const tokens = reportedUsage({ ...rest, usage })
  return tokens ?? (isSeconds(duration) ? usageOfSeconds(duration) : undefined)
}

/** The rate that is assumed for sound that cannot be read: 128 kbit each second. */
const bytesPerSecond = 16_000
/** The least that formats of speech are made of: 6 kbit each second. */
const leastBytesPerSecond = 750

/** Most prompt tokens and milliseconds of an upload. */
export const longestSound = ({ file }: Form): Usage =>
  file === undefined ? noUsage : usageOfSeconds(Math.max(1, file.bytes.length / leastBytesPerSecond))

/** How long the sound is that was sent; `estimated` when that cannot be read. */
export const measuredSound = async ({ file }: Form): Promise<{ usage: Usage; estimated: boolean }> => {
  if (file === undefined) return { usage: noUsage, estimated: true }
  const seconds = await soundLength(file)
  if (seconds !== undefined) return { usage: usageOfSeconds(seconds), estimated: false }
  return { usage: usageOfSeconds(file.bytes.length / bytesPerSecond), estimated: true }
}
