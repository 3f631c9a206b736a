import { commonDoneText, statusUndo } from '../../components/batch/common-acts.ts'
import type { BatchTexts } from '../../components/batch/put-back.ts'
import type { BodyInputOf, batchTokens } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'

type Act = BodyInputOf<typeof batchTokens>['act']

const useTextMessages = defineMessages('token-bulk-done', {
  zh: {
    enabled: '已启用 {{count}} 个令牌',
    disabled: '已禁用 {{count}} 个令牌',
    deleted: '已删除 {{count}} 个令牌',
    restored: '已恢复 {{count}} 个令牌',
    group: '已将 {{count}} 个令牌的分组设为 {{value}}',
    ownGroup: '{{count}} 个令牌改用用户分组',
  },
  en: {
    enabled_one: 'One API key enabled',
    enabled_other: '{{count}} API keys enabled',
    disabled_one: 'One API key disabled',
    disabled_other: '{{count}} API keys disabled',
    deleted_one: 'One API key deleted',
    deleted_other: '{{count}} API keys deleted',
    restored_one: 'One API key restored',
    restored_other: '{{count}} API keys restored',
    group_one: 'Group of one API key set to {{value}}',
    group_other: 'Group of {{count}} API keys set to {{value}}',
    ownGroup_one: 'One API key uses the group of its owner',
    ownGroup_other: '{{count}} API keys use the group of their owner',
  },
})

/** Result texts and undo of bulk actions on keys. */
export const tokenBatchTexts: BatchTexts<Act> = {
  doneText: (act, done) => {
    const say = useTextMessages.say
    const { count } = done
    switch (act.kind) {
      case 'status':
      case 'delete':
        return commonDoneText(act, done, say)
      case 'restore':
        return say('restored', { count })
      case 'group':
        return act.group === '' ? say('ownGroup', { count }) : say('group', { count, value: act.group })
    }
  },
  undoOf: (act, value) => {
    switch (act.kind) {
      case 'status':
        return statusUndo(act, value)
      case 'delete':
        return { kind: 'restore' }
      case 'restore':
        return undefined
      case 'group':
        return typeof value === 'string' && value !== act.group ? { kind: 'group', group: value } : undefined
    }
  },
}
