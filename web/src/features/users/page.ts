import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const usersPage = {
  path: '/user',
  access: 'admin',
  area: 'users',
  title: { zh: '用户管理', en: 'Users' },
  sidebar: { group: 'groupAdmin', position: 5, icon: 'users', shortcut: 'u' },
  sheets: ['/add', '/edit', '/edit/$id'],
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
