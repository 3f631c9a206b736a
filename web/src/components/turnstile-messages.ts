import { words } from '../lib/i18n.ts'

export const useTurnstileWords = words('turnstile', {
  zh: {
    wait: '请稍后几秒重试，Turnstile 正在检查用户环境！',
    failed: '人机验证加载失败，请检查网络后重试',
    retry: '重试',
  },
  en: {
    wait: 'Turnstile is still checking your browser, please try again in a few seconds',
    failed: 'The human check could not be loaded. Check your network.',
    retry: 'Retry',
  },
})
