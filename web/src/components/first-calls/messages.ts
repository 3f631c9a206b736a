import { defineMessages } from '../../lib/i18n.ts'

export const useFirstCallMessages = defineMessages('first-calls', {
  zh: {
    baseUrl: '接口地址',
    ready: '立即使用',
    dialect: '接口格式',
    clients: '客户端',
    ask: '你好！',
  },
  en: {
    baseUrl: 'Base URL',
    ready: 'Ready to use',
    dialect: 'API format',
    clients: 'Apps',
    ask: 'Hello!',
  },
})
