/**
 * Paths of the console's pages, `$name` for one part of any text. The server answers every other path with 404; a test
 * compares the list with the console's router.
 */
export const consolePages: readonly string[] = [
  '/',
  '/about',
  '/audit',
  '/channel',
  '/channel/add',
  '/channel/edit/$id',
  '/chat',
  '/chat/$id',
  '/chat2link',
  '/detail',
  '/log',
  '/login',
  '/midjourney',
  '/oauth/github',
  '/oauth/linuxdo',
  '/oauth/oidc',
  '/oauth/telegram',
  '/personal',
  '/playground',
  '/pricing',
  '/redemption',
  '/register',
  '/reset',
  '/setting',
  '/task',
  '/token',
  '/topup',
  '/user',
  '/user/$id',
  '/user/add',
  '/user/edit',
  '/user/edit/$id',
  '/user/reset',
]

const patterns = consolePages.map((page) => page.split('/'))

/** Whether a path is one of the console's pages; a final slash does not matter. */
export const isConsolePage = (path: string): boolean => {
  const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  return patterns.some(
    (pattern) =>
      pattern.length === parts.length &&
      pattern.every((part, index) => part === parts[index] || (part.startsWith('$') && parts[index] !== '')),
  )
}
