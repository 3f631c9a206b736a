import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const personalPage = {
  path: '/personal',
  access: 'signed_in',
  title: { zh: '个人设置', en: 'Personal settings' },
  sheets: ['/$section'],
  keywords: 'profile account password passkey two factor notifications access token 密码 资料',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.PersonalScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
