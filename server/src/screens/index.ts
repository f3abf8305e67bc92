// FACTS: the names of the screens that applications really have.
export { screenCatalog } from "./catalog.ts";
export { product } from "./product.ts";
export { latestScreens } from "./store.ts";
