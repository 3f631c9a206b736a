import type { Plugin } from 'vite'

/**
 * The package's colours that the console never names: it speaks in those of look.css (see src/theme.ts). Each comes with
 * twenty shades for light and dark, together a tenth of all styles around a screen.
 */
const unused = 'red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange'
const declarations = new RegExp(`^\\s*--mantine-color-(?:${unused})-[\\w-]+:[^;]*;\\n`, 'gm')

export const withoutUnusedColours = (css: string): string => css.replace(declarations, '')

/** Leaves unused colours out of the component library's variables. */
export const leanPalette = (): Plugin => ({
  name: 'tollgate-lean-palette',
  enforce: 'pre',
  transform: (css, id) =>
    /@mantine\/core\/styles\/default-css-variables\.css/.test(id)
      ? { code: withoutUnusedColours(css), map: null }
      : undefined,
})
