import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of the questions before channels are deleted or copied. */
export const useRemoveMessages = defineMessages('channel-remove', {
  zh: {
    copied: '渠道复制成功',
    deleteTitle: '删除渠道「{{name}}」？',
    deleteEffect: '请求会改走其他渠道；没有其他渠道时会失败。此操作无法撤销。',
    deleteConfirm: '删除渠道',
    copyTitle: '复制渠道「{{name}}」？',
    copyEffect: '复制渠道的所有信息，包括密钥。新渠道默认禁用。',
    copyConfirm: '复制渠道',
    deleteManyTitle: '删除所选的 {{count}} 个渠道？',
    deletedMany: '已删除 {{count}} 个渠道',
    deleteDisabledTitle: '删除全部 {{count}} 个已禁用的渠道？',
    deleteDisabledEffect: '包括手动禁用和自动禁用的渠道及其密钥。此操作无法撤销。',
    deleteDisabledConfirm: '删除 {{count}} 个渠道',
    deleteDisabledType: '输入 {{count}} 以确认',
  },
  en: {
    copied: 'Channel copied',
    deleteTitle: 'Delete channel “{{name}}”?',
    deleteEffect: 'Requests move to other channels, or fail if there are none. This can’t be undone.',
    deleteConfirm: 'Delete channel',
    copyTitle: 'Copy channel “{{name}}”?',
    copyEffect: 'Copies everything, including the key. The copy starts disabled.',
    copyConfirm: 'Copy channel',
    deleteManyTitle_one: 'Delete the selected channel?',
    deleteManyTitle_other: 'Delete the {{count}} selected channels?',
    deletedMany_one: 'One channel deleted',
    deletedMany_other: '{{count}} channels deleted',
    deleteDisabledTitle_one: 'Delete the one disabled channel?',
    deleteDisabledTitle_other: 'Delete all {{count}} disabled channels?',
    deleteDisabledEffect:
      'Includes manually and automatically disabled channels, with their keys. This can’t be undone.',
    deleteDisabledConfirm_one: 'Delete one channel',
    deleteDisabledConfirm_other: 'Delete {{count}} channels',
    deleteDisabledType: 'Type {{count}} to confirm',
  },
})
