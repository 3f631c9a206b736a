import { Link } from '@tanstack/react-router'

interface Props {
  name: string
  className: string
  /** A click opens the sheet; Enter follows the link to the page. */
  onOpen: (name: string) => void
}

/** The name of a model, which opens it. */
export const ModelLink = ({ name, className, onOpen }: Props) => (
  <Link
    className={className}
    title={name}
    to="/pricing/model/$"
    params={{ _splat: name }}
    onClick={(event) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.detail > 0
      if (!isPlain) return
      event.preventDefault()
      onOpen(name)
    }}
  >
    {name}
  </Link>
)
