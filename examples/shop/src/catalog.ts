export interface Product {
  id: string;
  name: string;
  price: number;
  text: string;
}

export const PRODUCTS: readonly Product[] = [
  { id: "teapot", name: "Clay teapot", price: 48, text: "Fired twice, holds four cups, and never drips." },
  { id: "kettle", name: "Steel kettle", price: 79, text: "Keeps any temperature between 60 and 100 degrees." },
  { id: "cups", name: "Pair of cups", price: 24, text: "Thin rims, thick bottoms, no handles." },
  { id: "oolong", name: "Mountain oolong", price: 16, text: "Rolled by hand in spring, 100 grams." },
];

export const euros = (amount: number) => `€ ${amount.toFixed(2)}`;
