import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'

/** The palette lives in styles/look.css; here Mantine learns to speak in its variables. */
const steps = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const accent = steps.map(() => '#0b6e63') as unknown as MantineColorsTuple

const tones: Readonly<Record<string, string>> = {
  accent: 'accent',
  green: 'good',
  good: 'good',
  yellow: 'warn',
  orange: 'warn',
  warn: 'warn',
  red: 'bad',
  bad: 'bad',
  blue: 'info',
  info: 'info',
}

/** Buttons, badges and icons take their colours from the look's states, in light and dark alike. */
const colours: VariantColorsResolver = ({ color, variant, theme }) => {
  const tone = ownMember(tones, color ?? theme.primaryColor) ?? 'accent'
  const border = '1px solid transparent'
  // Buttons always pass a colour, by default the primary one; quiet variants are then plain ink.
  const plain = color === undefined || color === theme.primaryColor
  if (variant === 'filled')
    return { background: `var(--${tone})`, hover: `var(--${tone}-strong)`, color: 'var(--on-strong)', border }
  if (variant === 'light')
    return { background: `var(--${tone}-soft)`, hover: `var(--${tone}-soft)`, color: `var(--${tone})`, border }
  if (variant === 'subtle' || variant === 'transparent')
    return {
      background: 'transparent',
      hover: variant === 'subtle' ? 'var(--line-2)' : 'transparent',
      color: plain ? 'var(--ink-2)' : `var(--${tone})`,
      border,
    }
  return {
    background: 'var(--surface)',
    hover: 'var(--surface-2)',
    color: plain ? 'var(--ink)' : `var(--${tone})`,
    border: '1px solid var(--line)',
  }
}

const quick = { duration: 140 }

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent },
  variantColorResolver: colours,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { variant: 'default', size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 32 } },
    Menu: {
      defaultProps: {
        position: 'bottom-end',
        shadow: 'md',
        offset: 4,
        transitionProps: quick,
        withinPortal: true,
        // The first entry takes the focus: the package's placeholder is something that a menu must not hold.
        withInitialFocusPlaceholder: false,
        // Long menus scroll within the window: on a phone they fit neither below nor above their button.
        middlewares: { size: { padding: 8 } },
      },
    },
    Popover: { defaultProps: { shadow: 'md', offset: 4, transitionProps: quick } },
    Tooltip: {
      defaultProps: { openDelay: 300, transitionProps: quick, events: { hover: true, focus: true, touch: true } },
    },
    // The package locks scrolling by writing styles, which a strict content policy forbids; sheets contain theirs.
    Modal: { defaultProps: { centered: true, radius: 'lg', transitionProps: quick, lockScroll: false } },
    DrawerRoot: { defaultProps: { transitionProps: { duration: 160 }, lockScroll: false } },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    NumberInput: { defaultProps: { hideControls: true } },
  },
})

/** The theme with the label of the buttons that show a password, in the reader's language: the package knows only English. */
export const withPasswordLabel = (label: string): typeof theme => ({
  ...theme,
  components: {
    ...theme.components,
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': label } } },
  },
})
