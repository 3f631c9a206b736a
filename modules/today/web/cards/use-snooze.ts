import { call } from '#web/lib/api/api.ts'
import { calls, type SnoozeSpan, type TodayCard } from '#web/lib/api/contract.ts'
import { notifyOffer } from '#web/lib/notify.tsx'
import { useAction } from '#web/lib/query.ts'
import { formatMoment } from '#web/lib/text/format-time.ts'
import { useTimeReader, zoneName } from '#web/lib/time/time-zone.ts'
import { useTodayMessages } from '../messages.ts'

/** Hides a card for some time, and offers to show it again. */
export const useSnooze = (): ((card: TodayCard, span: SnoozeSpan) => void) => {
  const say = useTodayMessages()
  const reader = useTimeReader()
  const snooze = useAction(
    (card: TodayCard, span: SnoozeSpan) =>
      call(calls.snoozeTodayCard, { body: { card: card.id, span, zone: zoneName(reader.zone) } }),
    {
      refresh: [calls.getToday, calls.getOwnToday],
      onDone: ({ until }, card) => {
        if (until === 0) return
        const time = formatMoment(until, reader, true)
        notifyOffer(say('snoozeDone', { time }), say('undo'), () => void snooze.run(card, 'none'))
      },
    },
  )
  return (card, span) => void snooze.run(card, span)
}
