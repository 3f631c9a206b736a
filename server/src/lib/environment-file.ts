/** Loads `.env` of the working directory, if it exists. Variables that are already set keep their value. */
export const loadEnvironmentFile = (): void => {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
