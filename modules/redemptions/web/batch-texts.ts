import { commonDoneText, statusUndo } from '#web/components/batch/common-acts.ts'
import type { BatchTexts } from '#web/components/batch/put-back.ts'
import type { BodyInputOf, batchRedemptions } from '#web/lib/api/contract.ts'
import { defineMessages } from '#web/lib/i18n.ts'

type Act = BodyInputOf<typeof batchRedemptions>['act']

const useTextMessages = defineMessages('redemption-bulk-done', {
  zh: {
    enabled: '已启用 {{count}} 个兑换码',
    disabled: '已禁用 {{count}} 个兑换码',
    deleted: '已删除 {{count}} 个兑换码',
    restored: '已恢复 {{count}} 个兑换码',
  },
  en: {
    enabled_one: 'One code enabled',
    enabled_other: '{{count}} codes enabled',
    disabled_one: 'One code disabled',
    disabled_other: '{{count}} codes disabled',
    deleted_one: 'One code deleted',
    deleted_other: '{{count}} codes deleted',
    restored_one: 'One code restored',
    restored_other: '{{count}} codes restored',
  },
})

/** Result texts and undo of bulk actions on codes; a redeemed code keeps its status. */
export const redemptionBatchTexts: BatchTexts<Act> = {
  doneText: (act, done) => {
    const say = useTextMessages.say
    const { count } = done
    switch (act.kind) {
      case 'status':
      case 'delete':
        return commonDoneText(act, done, say)
      case 'restore':
        return say('restored', { count })
    }
  },
  undoOf: (act, value) => {
    if (act.kind === 'delete') return { kind: 'restore' }
    return act.kind === 'restore' ? undefined : statusUndo(act, value)
  },
}
