import type { LoadedPage, Page } from '../../components/page.ts'

export const usersPage = {
  path: '/user',
  access: 'admin',
  title: { zh: '用户管理', en: 'Users' },
  sidebar: { group: 'groupAdmin', position: 5, icon: 'users', shortcut: 'u' },
  sheets: ['/add', '/edit', '/edit/$id'],
  load: (): LoadedPage => import('./screen.tsx').then(({ UsersScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page

export const userPage = {
  path: '/user/$id',
  access: 'admin',
  title: { zh: '用户', en: 'User' },
  load: (): LoadedPage =>
    import('./user-page/screen.tsx').then(({ UserScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
