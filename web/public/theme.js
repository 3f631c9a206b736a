// Runs before the first paint, so that a dark page never flashes light. Mirrors src/lib/theme-mode.ts.
;(() => {
  const root = document.documentElement
  let mode = 'system'
  try {
    mode = localStorage.getItem('theme-mode') || 'system'
    const language = localStorage.getItem('i18nextLng') || navigator.language || 'zh'
    root.lang = language.toLowerCase().startsWith('en') ? 'en' : 'zh'
  } catch {}
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (dark) root.setAttribute('theme-mode', 'dark')
  const colour = document.querySelector('meta[name=theme-color]')
  if (colour) colour.setAttribute('content', dark ? '#14181c' : '#ffffff')
})()
