import { call, callWhole } from '#web/lib/api/api.ts'
import { calls, channelStatus, type TodayCard } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useStatusChange } from '#web/lib/status-change.ts'
import type { CardChange } from './card-links.ts'
import { useCardMessages } from './card-messages.ts'

const extendedBy = 30 * 86_400
const refreshed = [calls.getToday, calls.getOwnToday]

/** Changes that buttons of cards make, and whether one is under way. `give` asks for an amount. */
export const useCardChange = (
  give: () => void,
): { readonly busy: boolean; run(change: CardChange, card: TodayCard): void } => {
  const say = useCardMessages()
  const status = useStatusChange((id, next) => call(calls.updateChannel, { body: { id, status: next } }), refreshed)
  const test = useAction(
    async ({ object_id: id }: TodayCard): Promise<number> =>
      Number((await callWhole(calls.testChannel, { params: { id } })).time),
    { done: (seconds) => say('tested', { seconds: seconds.toFixed(2) }), refresh: refreshed },
  )
  const extend = useAction(
    ({ object_id: id, at }: TodayCard) => call(calls.updateToken, { body: { id, expired_time: at + extendedBy } }),
    { done: (_, { name }) => say('extended', { name }), refresh: refreshed },
  )
  return {
    busy: test.busy || extend.busy,
    run: (change, card) => {
      const row = { id: card.object_id, name: card.name }
      switch (change) {
        case 'test':
          void test.run(card)
          return
        case 'extend':
          void extend.run(card)
          return
        case 'give':
          give()
          return
        case 'takeOut':
          void status.run({ ...row, status: channelStatus.enabled }, channelStatus.disabled)
          return
        case 'enable':
          void status.run({ ...row, status: channelStatus.autoDisabled }, channelStatus.enabled)
          return
      }
    },
  }
}
