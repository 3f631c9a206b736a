import type { LogEntry } from '../../../lib/api/contract.ts'
import { channelTestLabel, logType, refusedContent } from '../../../lib/api/contract.ts'
import { errorIn } from '../../../lib/i18n.ts'
import type { SayLog } from '../messages.ts'
import { otherOf } from '../other.ts'

/** The error's code and status, for rows that failed. */
export const failureText = (log: LogEntry, say: SayLog): string => {
  const { status, error_code: code } = otherOf(log)
  return say('failure', { status: status ?? '', code: code ?? '' }).trim()
}

const priceText = (log: LogEntry, say: SayLog): string => {
  const other = otherOf(log)
  const group = other.group_ratio ?? 1
  if (other.receipt?.mode === 'call' || (other.model_price ?? -1) >= 0)
    return say('summaryCall', { price: `$${other.receipt?.model_price ?? other.model_price ?? 0}`, group })
  if (other.model_ratio === undefined) return contentText(log, say)
  const model = other.model_ratio
  return other.cache_tokens
    ? say('summaryCache', { model, cache: other.cache_ratio ?? 1, group })
    : say('summaryRatio', { model, group })
}

/** Figures that are amounts in quota units; the server's sentences call no other figure so. */
const amounts: ReadonlySet<string> = new Set(['amount', 'from', 'to'])

/** A figure of one of the server's sentences. `unit`: quota units of one unit of currency, 0 where quota units are shown. */
const figureText = (name: string, figure: string | number, unit: number, say: SayLog): string => {
  if (typeof figure === 'string') return figure
  if (amounts.has(name)) return unit > 0 ? `$${(figure / unit).toFixed(6)}` : say('quotaUnits', { units: figure })
  return name === 'money' ? figure.toFixed(6) : String(figure)
}

/** Text that the server wrote about an entry, in the reader's language; texts of upstreams and people stay as they are. */
export const contentText = (log: LogEntry, say: SayLog): string => {
  if (log.content === refusedContent) return say('textsRefused')
  if (log.token_id === 0 && log.token_name === channelTestLabel && log.type === logType.consume) return say('test')
  const { text, error_text: failure } = otherOf(log)
  if (failure) return errorIn(failure.code, log.content, failure.params)
  if (!text) return log.content
  const figures = Object.entries(text.params ?? {}).map(([name, figure]) => [
    name,
    figureText(name, figure, text.unit ?? 0, say),
  ])
  return errorIn(text.code, log.content, Object.fromEntries(figures))
}

const repeatedText = (log: LogEntry, say: SayLog): string => {
  const { repeated } = otherOf(log)
  return repeated === undefined ? '' : say('repeatedTimes', { count: repeated })
}

/** The text of the details column: the price of a charge, the cause of a failure, else the entry's content. */
export const detailsText = (log: LogEntry, say: SayLog): string => {
  if (log.type === logType.consume) return priceText(log, say)
  if (log.type !== logType.error) return contentText(log, say)
  return [repeatedText(log, say), failureText(log, say), contentText(log, say)].filter(Boolean).join(' · ')
}
