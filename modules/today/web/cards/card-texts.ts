import { ownMember } from '@tollgate/contract/own-member'
import type { Sentence, SentenceValue } from '@tollgate/contract/records/site-cards'
import { useQuotaText } from '#web/components/display/quota.tsx'
import type { TodayCard } from '#web/lib/api/contract.ts'
import { textIn, useLanguage } from '#web/lib/i18n.ts'
import { formatInteger, formatMoney, formatPercent } from '#web/lib/text/format.ts'
import { formatDay, formatMinute, formatMoment } from '#web/lib/text/format-time.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { useCurrentMinute } from '#web/lib/time/current-minute.ts'
import { useTimeReader } from '#web/lib/time/time-zone.ts'
import { cardWords } from '../../contract/card-words.ts'

/** A card in words: the fact, its cause as the provider or the server states it, and its consequence. */
export interface CardText {
  readonly fact: string
  readonly cause: string
  readonly consequence: string
}

const halfDay = 43_200

const listOf = (names: readonly string[], all: number): string =>
  all > names.length ? `${names.join(', ')} +${formatInteger(all - names.length)}` : names.join(', ')

/** Words for cards in the reader's language and time zone. */
export const useCardTexts = (): ((card: TodayCard) => CardText) => {
  const language = useLanguage()
  const quota = useQuotaText()
  const reader = useTimeReader()
  const now = useCurrentMinute()

  /** The time alone where it is less than half a day away: no other day can be meant. */
  const moment = (at: number): string =>
    Math.abs(at - now) < halfDay ? formatMinute(at, reader.zone) : formatMoment(at, reader, true)

  const valueText = (value: SentenceValue): string => {
    if (typeof value === 'string') return value
    if ('names' in value) return listOf(value.names, value.all)
    if ('count' in value) return formatInteger(value.count)
    if ('quota' in value) return quota(value.quota)
    if ('money' in value) return formatMoney(value.money)
    if ('share' in value) return formatPercent(value.share)
    return 'day' in value ? formatDay(value.day, { ...reader, zone: 'UTC' }) : moment(value.moment)
  }

  const textOf = ({ text, values }: Sentence): string =>
    textIn(text, language).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = ownMember(values, name)
      return value === undefined ? '' : valueText(value)
    })

  return (card) => {
    const { fact, consequence } = cardWords(card)
    return {
      fact: textOf(fact),
      cause: refusalText(card.reason, card),
      consequence: consequence.map(textOf).join(' '),
    }
  }
}
