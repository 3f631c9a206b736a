import { defineMessages } from '../../../lib/i18n.ts'

/** Words of dialogs about many channels. */
export const useBulkMessages = defineMessages('channel-bulk', {
  zh: {
    reading: '正在读取符合条件的渠道…',
    tagEmpty: '标签不能为空！',
    tagLabel: '请输入要设置的标签名称',
    removeTag: '移除标签',
    chosen: '已选择 {{count}} 个渠道',
    apply: '应用',
    cancel: '取消',
  },
  en: {
    reading: 'Reading the channels that match …',
    tagEmpty: 'Enter a tag',
    tagLabel: 'Name of the tag to set',
    removeTag: 'Remove tag',
    chosen_one: 'One channel selected',
    chosen_other: '{{count}} channels selected',
    apply: 'Apply',
    cancel: 'Cancel',
  },
})
