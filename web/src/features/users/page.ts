import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const usersPage = {
  path: '/user',
  access: 'admin',
  area: 'users',
  title: { zh: '用户管理', en: 'Users' },
  sheets: ['/add', '/edit', '/edit/$id'],
  sidebar: {
    group: 'groupSite',
    position: 3,
    icon: 'users',
    shortcut: 'u',
    name: { zh: '用户与团队', en: 'Users & teams' },
  },
  keywords: 'accounts people members customers 账户 客户',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.UsersScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage

export const userPage = {
  path: '/user/$id',
  access: 'admin',
  area: 'users',
  title: { zh: '用户', en: 'User' },
  load: (): LoadedPage =>
    import('./user-page/screen.tsx').then((file) => ({ Screen: file.UserScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
