import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { FigureLink } from '../lib/url/figure-link.ts'
import { useFigurePage } from './figure-link.ts'

/** Opens the page of figures with a page's object as a filter; nothing where there is no such page. */
export const FigureButton = ({ link }: { link: FigureLink }) => {
  const page = useFigurePage()
  const navigate = useNavigate()
  if (page === undefined) return null
  return (
    <Button variant="subtle" onClick={() => void navigate({ href: page.hrefOf(link) })}>
      {page.label}
    </Button>
  )
}
