import { defineMessages } from '../../lib/i18n.ts'

/** Texts of the preview of a channel beside the list. */
export const usePreviewMessages = defineMessages('channel-preview', {
  zh: {
    facts: '余额、密钥与选路',
    keys: '密钥',
    usable: '{{enabled}} / {{count}} 可用',
    notTested: '尚未测试',
    logs: '使用日志',
    test: '测试',
  },
  en: {
    facts: 'Balance, keys and routing',
    keys: 'Keys',
    usable: '{{enabled}} of {{count}} usable',
    notTested: 'Not tested yet',
    logs: 'Usage log',
    test: 'Test',
  },
})
