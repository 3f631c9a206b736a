import { defineMessages } from '../../lib/i18n.ts'

export const useTurnstileMessages = defineMessages('turnstile', {
  zh: {
    failed: '人机验证加载失败，请检查网络。',
    retry: '重试',
  },
  en: {
    failed: 'The human check could not be loaded. Check your network.',
    retry: 'Retry',
  },
})
