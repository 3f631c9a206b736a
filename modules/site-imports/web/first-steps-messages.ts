import { defineMessages } from '#web/lib/i18n.ts'

/** Texts beside the first steps of a site without channels. */
export const useFirstStepsMessages = defineMessages('siteImportSteps', {
  zh: {
    title: '从其他系统迁入',
    text: '用户、令牌、渠道与余额一并带来，原令牌继续可用。',
    open: '开始迁入',
  },
  en: {
    title: 'Move in from another gateway',
    text: 'Users, keys, channels and balances come along, and old keys keep working.',
    open: 'Move in',
  },
})
