/**
 * The console's page for a site below a base path: its files are fetched from there, its own script reads the path without it and sets its
 * cookie for it alone, and the scripts find the path in `data-base`. The hash of the inline script is taken afterwards.
 */
export const pageAtBasePath = (html: string, basePath: string): string =>
  html
    .replace(/<html\b(?: lang="[^"]*")?/i, (start) => `${start} data-base="${basePath}"`)
    .replace(/\b(href|src)="\/(?!\/)/g, (_, name: string) => `${name}="${basePath}/`)
    .replace(/\burl\((["']?)\/(?!\/)/g, (_, quote: string) => `url(${quote}${basePath}/`)
    .replaceAll('location.pathname', () => `(location.pathname.slice(${basePath.length}) || '/')`)
    .replaceAll('; path=/;', () => `; path=${basePath};`)
