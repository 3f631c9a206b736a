import { defineMessages } from '../../lib/i18n.ts'

export const usePitchMessages = defineMessages('pitch', {
  zh: { promise: '一个地址，接入全部模型。每一次调用都有据可查。' },
  en: { promise: 'One address for every model. Every call accounted for.' },
})
