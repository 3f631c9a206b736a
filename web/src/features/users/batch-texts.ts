import type { BatchTexts } from '../../components/batch/put-back.ts'
import { type BodyInputOf, type batchUsers, userStatus } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { useChangeMessages } from '../../lib/status-change.ts'

type Act = BodyInputOf<typeof batchUsers>['act']

const useTextMessages = defineMessages('user-bulk-done', {
  zh: {
    enable: '已启用 {{count}} 个用户',
    disable: '已禁用 {{count}} 个用户',
    delete: '已注销 {{count}} 个用户',
    group: '已将 {{count}} 个用户的分组设为 {{value}}',
  },
  en: {
    enable_one: 'One user enabled',
    enable_other: '{{count}} users enabled',
    disable_one: 'One user disabled',
    disable_other: '{{count}} users disabled',
    delete_one: 'One account deleted',
    delete_other: '{{count}} accounts deleted',
    group_one: 'Group of one user set to {{value}}',
    group_other: 'Group of {{count}} users set to {{value}}',
  },
})

const undoneBy = { enable: 'disable', disable: 'enable' } as const
const becomes = { enable: userStatus.enabled, disable: userStatus.disabled } as const

/** Result texts and undo of bulk actions on users; a deleted account cannot be restored. */
export const userBatchTexts: BatchTexts<Act> = {
  doneText: (act, { count, name }) => {
    const say = useTextMessages.say
    if (act.kind === 'group') return say('group', { count, value: act.group })
    if (name === undefined || act.kind === 'delete') return say(act.kind, { count })
    return useChangeMessages.say(act.kind === 'enable' ? 'enabled' : 'disabled', { name })
  },
  undoOf: (act, value) => {
    if (act.kind === 'delete') return undefined
    if (act.kind === 'group') {
      return typeof value === 'string' && value !== act.group ? { kind: 'group', group: value } : undefined
    }
    return value === becomes[act.kind] ? undefined : { kind: undoneBy[act.kind] }
  },
}
