import { useEffect, useRef } from 'react'
import { useLanguage } from '../../lib/i18n.ts'
import { useScheme } from '../../lib/preferences/theme-mode.ts'

/**
 * A page of another site may keep its own storage: it is another origin than ours. A page of our own origin may not,
 * since it could then open its own cage.
 */
const cage = (own: boolean): string =>
  ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox', 'allow-downloads', 'allow-modals']
    .concat(own ? [] : ['allow-same-origin', 'allow-top-navigation-by-user-activation'])
    .join(' ')

const originOf = (address: string): string => new URL(address, window.location.href).origin

/** Another page in a frame. It receives the theme and the language when it loads and whenever they change. */
export const EmbeddedPage = (props: { src: string; title: string; className: string; allow?: string }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const themeMode = useScheme()
  const lang = useLanguage()
  const origin = originOf(props.src)
  const own = origin === window.location.origin
  const sendLook = (): void => {
    // A sandboxed page has an opaque origin, so no target origin can be named; theme and language are not secret.
    const target = own ? '*' : origin
    frame.current?.contentWindow?.postMessage({ themeMode }, target)
    frame.current?.contentWindow?.postMessage({ lang }, target)
  }
  // The page in the frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: said again when theme, language or page change
  useEffect(sendLook, [themeMode, lang, origin])
  return (
    <iframe
      ref={frame}
      className={props.className}
      src={props.src}
      title={props.title}
      sandbox={cage(own)}
      referrerPolicy="strict-origin"
      {...(props.allow ? { allow: props.allow } : {})}
      onLoad={sendLook}
    />
  )
}
