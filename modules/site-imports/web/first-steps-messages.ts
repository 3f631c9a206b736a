import { defineMessages } from '#web/lib/i18n.ts'

/** Texts beside the first steps of a site without channels. */
export const useFirstStepsMessages = defineMessages('siteImportSteps', {
  zh: {
    title: '从其他网关导入',
    text: '用户、令牌、渠道与余额一并导入，原令牌继续可用。',
    open: '开始导入',
  },
  en: {
    title: 'Import from another gateway',
    text: 'Brings users, keys, channels and balances. Existing keys keep working.',
    open: 'Import',
  },
})
