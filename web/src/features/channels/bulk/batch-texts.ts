import { commonDoneText, statusUndo } from '../../../components/batch/common-acts.ts'
import type { BatchTexts } from '../../../components/batch/put-back.ts'
import type { BodyInputOf, batchChannels } from '../../../lib/api/contract.ts'
import { defineMessages } from '../../../lib/i18n.ts'

type Act = BodyInputOf<typeof batchChannels>['act']

const useTextMessages = defineMessages('channel-bulk-done', {
  zh: {
    enabled: '已启用 {{count}} 个渠道',
    disabled: '已禁用 {{count}} 个渠道',
    deleted: '已删除 {{count}} 个渠道',
    tag: '已给 {{count}} 个渠道设置标签“{{value}}”',
    untagged: '已移除 {{count}} 个渠道的标签',
    group: '已将 {{count}} 个渠道的分组设为 {{value}}',
    priority: '已将 {{count}} 个渠道的优先级设为 {{value}}',
    weight: '已将 {{count}} 个渠道的权重设为 {{value}}',
  },
  en: {
    enabled_one: 'One channel enabled',
    enabled_other: '{{count}} channels enabled',
    disabled_one: 'One channel disabled',
    disabled_other: '{{count}} channels disabled',
    deleted_one: 'One channel deleted',
    deleted_other: '{{count}} channels deleted',
    tag_one: 'One channel tagged “{{value}}”',
    tag_other: '{{count}} channels tagged “{{value}}”',
    untagged_one: 'Tag of one channel removed',
    untagged_other: 'Tag of {{count}} channels removed',
    group_one: 'Group of one channel set to {{value}}',
    group_other: 'Group of {{count}} channels set to {{value}}',
    priority_one: 'Priority of one channel set to {{value}}',
    priority_other: 'Priority of {{count}} channels set to {{value}}',
    weight_one: 'Weight of one channel set to {{value}}',
    weight_other: 'Weight of {{count}} channels set to {{value}}',
  },
})

/** Result texts and undo of bulk actions on channels; a deleted channel cannot be restored, since its keys are deleted, too. */
export const channelBatchTexts: BatchTexts<Act> = {
  doneText: (act, done) => {
    const say = useTextMessages.say
    const { count } = done
    switch (act.kind) {
      case 'status':
      case 'delete':
        return commonDoneText(act, done, say)
      case 'tag':
        return act.tag ? say('tag', { count, value: act.tag }) : say('untagged', { count })
      case 'group':
        return say('group', { count, value: act.group })
      case 'priority':
        return say('priority', { count, value: act.priority })
      case 'weight':
        return say('weight', { count, value: act.weight })
    }
  },
  undoOf: (act, value) => {
    switch (act.kind) {
      case 'delete':
        return undefined
      case 'status':
        return statusUndo(act, value)
      case 'tag':
        return (act.tag ?? '') === (value ?? '') ? undefined : { kind: 'tag', tag: value ? String(value) : null }
      case 'group':
        return typeof value === 'string' && value !== act.group ? { kind: 'group', group: value } : undefined
      case 'priority':
        return typeof value === 'number' && value !== act.priority ? { kind: 'priority', priority: value } : undefined
      case 'weight':
        return typeof value === 'number' && value !== act.weight ? { kind: 'weight', weight: value } : undefined
    }
  },
}
